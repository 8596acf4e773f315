// Sonic: changes the speed of sound and keeps its pitch.
#ifndef TUTTI_CSONIC_SHIM_H
#define TUTTI_CSONIC_SHIM_H

#include <sonic.h>

#endif

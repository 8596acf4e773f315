// libebur128: loudness after EBU R128 and ITU-R BS.1770.
#ifndef TUTTI_CEBUR128_SHIM_H
#define TUTTI_CEBUR128_SHIM_H

#include <ebur128.h>

#endif

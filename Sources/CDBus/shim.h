// The D-Bus reference library.
#ifndef TUTTI_CDBUS_SHIM_H
#define TUTTI_CDBUS_SHIM_H

#include <dbus/dbus.h>

#endif

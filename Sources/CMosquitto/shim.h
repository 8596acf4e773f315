// libmosquitto, which speaks MQTT 5 and 3.1.1 with a broker.
#ifndef TUTTI_CMOSQUITTO_SHIM_H
#define TUTTI_CMOSQUITTO_SHIM_H

#include <mosquitto.h>
#include <mqtt_protocol.h>

#endif

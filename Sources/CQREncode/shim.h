// libqrencode, which makes QR codes of texts.
#ifndef TUTTI_CQRENCODE_SHIM_H
#define TUTTI_CQRENCODE_SHIM_H

#include <qrencode.h>

#endif

// libFLAC's stream encoder and decoder.
#ifndef TUTTI_CFLAC_SHIM_H
#define TUTTI_CFLAC_SHIM_H

#include <FLAC/stream_decoder.h>
#include <FLAC/stream_encoder.h>

#endif

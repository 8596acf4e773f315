// FFmpeg's scaler of pictures for Swift.
#ifndef TUTTI_CFFMPEG_PICTURES_H
#define TUTTI_CFFMPEG_PICTURES_H

#include "shim.h"
#include <libavutil/frame.h>
#include <libswscale/swscale.h>

#endif

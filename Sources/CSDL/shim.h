// SDL 2 for Swift: its headers, and wrappers for macros that Swift cannot import.

#ifndef TUTTI_CSDL_SHIM_H
#define TUTTI_CSDL_SHIM_H

#define SDL_MAIN_HANDLED
#include <SDL2/SDL.h>

/// The place of a window in the middle of a display, for both coordinates.
static inline int tutti_sdl_centered(int display) { return SDL_WINDOWPOS_CENTERED_DISPLAY(display); }

/// Four bytes a pixel: blue, green, red, opacity.
static inline Uint32 tutti_sdl_bgra(void) { return SDL_PIXELFORMAT_BGRA32; }

/// What the current OpenGL context draws with, in its driver's words; null without a context.
static inline const char *tutti_sdl_gl_renderer(void) {
    typedef const unsigned char *(*Getter)(unsigned int);
    Getter getter = (Getter)SDL_GL_GetProcAddress("glGetString");
    return SDL_GL_GetCurrentContext() && getter ? (const char *)getter(0x1F01 /* GL_RENDERER */) : 0;
}

#endif

// Preloaded into a program that shows pictures with SDL (LD_PRELOAD): gives Xvfb a vertical sync, which it lacks.
//
// SDL_RenderPresent waits for the next refresh of a display with TUTTI_LAB_SCREEN_RATE Hz, whose phase nobody states, and
// hands the picture over then.

#define _GNU_SOURCE
#include <SDL2/SDL.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static const int64_t PHASE = 5137911;

void SDL_RenderPresent(SDL_Renderer *renderer) {
    static void (*present)(SDL_Renderer *);
    static double period;
    if (!present) {
        const char *rate = getenv("TUTTI_LAB_SCREEN_RATE");
        period = 1e9 / (rate && atof(rate) > 1 ? atof(rate) : 60);
        present = (void (*)(SDL_Renderer *))dlsym(RTLD_NEXT, "SDL_RenderPresent");
    }
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    double now = (double)time.tv_sec * 1e9 + (double)time.tv_nsec - (double)PHASE;
    int64_t refresh = (int64_t)(((double)(int64_t)(now / period) + 1) * period) + PHASE;
    time = (struct timespec){refresh / 1000000000, refresh % 1000000000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, 0);
    present(renderer);
}

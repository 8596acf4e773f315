// Sees what Xvfb shows, without asking it: reads the numbers of pictures in the frame buffer that `Xvfb -fbdir DIR` maps
// to DIR/Xvfb_screen0 (an XWD file).
//
//     tutti_lab_screen FILE SECONDS
//
// A picture carries its number in 24 blocks along its upper edge, 32 pixels high and together as wide as the screen: white
// is 1. The first 20 are the number, the highest bit first; the last 4 its check: the sum of its hexadecimal digits,
// modulo 16. Whenever the number changes, a line tells CLOCK_MONOTONIC_RAW in ns, and the number, or -1 where there is none.
// Where the witness itself did not run for 4 ms or more, a line "# FROM TO" tells so: what a host does that stands still is
// not the program's fault.

#include <arpa/inet.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// Fields of an XWD header: 32-bit numbers, big-endian.
enum { HEADER_SIZE = 0, WIDTH = 4, HEIGHT = 5, BITS_PER_PIXEL = 11, BYTES_PER_LINE = 12, COLORS = 19, FIELDS = 25 };
enum { COLOR_BYTES = 12, BLOCKS = 24, CHECK_BITS = 4, ROW = 16, INTERVAL = 150000, PAUSE = 4000000 };

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int number(const volatile uint8_t *row, unsigned width) {
    unsigned bits = 0, check = 0;
    for (unsigned block = 0; block < BLOCKS; block++) {
        unsigned x = (2 * block + 1) * width / (2 * BLOCKS);
        // Green.
        bits = bits << 1 | (row[4 * x + 1] >= 128);
    }
    for (unsigned rest = bits >> CHECK_BITS; rest; rest >>= 4) check += rest & 15;
    return (check & 15) == (bits & 15) && bits ? (int)(bits >> CHECK_BITS) : -1;
}

int main(int count, char **arguments) {
    struct stat status;
    int file = count == 3 ? open(arguments[1], O_RDONLY) : -1;
    if (file < 0 || fstat(file, &status) || status.st_size < 4 * FIELDS) {
        fprintf(stderr, "usage: tutti_lab_screen FILE SECONDS, where FILE is Xvfb's frame buffer\n");
        return 2;
    }
    const uint8_t *bytes = mmap(0, (size_t)status.st_size, PROT_READ, MAP_SHARED, file, 0);
    if (bytes == MAP_FAILED) return perror("mmap"), 1;
    uint32_t fields[FIELDS];
    for (int i = 0; i < FIELDS; i++) fields[i] = ntohl(((const uint32_t *)bytes)[i]);
    size_t place = fields[HEADER_SIZE] + (size_t)fields[COLORS] * COLOR_BYTES + (size_t)ROW * fields[BYTES_PER_LINE];
    if (fields[BITS_PER_PIXEL] != 32 || fields[HEIGHT] <= ROW
        || place + 4 * (size_t)fields[WIDTH] > (size_t)status.st_size) {
        fprintf(stderr, "%s is no screen of 32 bits a pixel\n", arguments[1]);
        return 1;
    }
    const volatile uint8_t *row = bytes + place;
    prctl(PR_SET_TIMERSLACK, 1000UL);
    // Whoever ends it early has the lines until then.
    setvbuf(stdout, 0, _IOLBF, BUFSIZ);
    int64_t end = now() + (int64_t)(atof(arguments[2]) * 1e9);
    int seen = -1;
    int64_t last = now();
    for (int64_t time = last; time < end; time = now()) {
        if (time - last >= PAUSE) printf("# %lld %lld\n", (long long)last, (long long)time);
        last = time;
        int current = number(row, fields[WIDTH]);
        // A row that is being written may be half of one picture and half of another.
        if (current != seen && current == number(row, fields[WIDTH])) {
            printf("%lld %d\n", (long long)time, current);
            seen = current;
        }
        nanosleep(&(struct timespec){0, INTERVAL}, 0);
    }
    return 0;
}

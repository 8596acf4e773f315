import { picture } from "./api.js";

// Pictures are fetched when they come near the window, some at a time: a shelf has thousands.
const mostAtOnce = 4;
const waiting = new Set();
let running = 0;

const seen = new IntersectionObserver(entries => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) waiting.add(target);
    else waiting.delete(target);
  }
  fetchNext();
}, { rootMargin: "200px" });

/** An image of the picture of `path`, which is fetched once it can be seen; `none` stands in its place until then. */
export function lazyCover(none, path) {
  const image = new Image();
  [image.className, image.alt, image.hidden] = ["art", "", true];
  none.cover = { image, path };
  // What is hidden is never seen.
  seen.observe(none);
  return image;
}

/** Gives up the pictures of an element that leaves the page. */
export function forgetCovers(element) {
  for (const none of element.querySelectorAll(".none")) {
    seen.unobserve(none);
    waiting.delete(none);
    if (none.cover?.image.src) URL.revokeObjectURL(none.cover.image.src);
  }
}

function fetchNext() {
  while (running < mostAtOnce && waiting.size) {
    const [none] = waiting;
    waiting.delete(none);
    seen.unobserve(none);
    running += 1;
    load(none).finally(() => {
      running -= 1;
      fetchNext();
    });
  }
}

async function load(none) {
  const { image, path } = none.cover;
  const bytes = await picture(path);
  if (!bytes || !none.isConnected) return;
  image.src = URL.createObjectURL(bytes);
  [image.hidden, none.hidden] = [false, true];
}

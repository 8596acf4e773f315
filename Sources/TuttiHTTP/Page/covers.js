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

/** Shows the picture of `path` in an image once that can be seen; `none` is shown in its place until then. */
export function showLazily(image, none, path) {
  image.hidden = true;
  image.dataset.path = path;
  image.noPicture = none;
  seen.observe(image);
}

/** Gives up the picture of an image that leaves the page. */
export function forget(image) {
  seen.unobserve(image);
  waiting.delete(image);
  if (image.src) URL.revokeObjectURL(image.src);
}

async function fetchNext() {
  while (running < mostAtOnce && waiting.size) {
    const [image] = waiting;
    waiting.delete(image);
    seen.unobserve(image);
    running += 1;
    load(image).finally(() => {
      running -= 1;
      fetchNext();
    });
  }
}

async function load(image) {
  const bytes = await picture(image.dataset.path);
  if (!bytes || !image.isConnected) return;
  image.src = URL.createObjectURL(bytes);
  image.hidden = false;
  image.noPicture.hidden = true;
}

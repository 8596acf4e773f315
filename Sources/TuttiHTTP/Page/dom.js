/** Makes an element: `h("button", { class: "x", onclick: f }, "text", child)`. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (typeof value === "boolean") element.toggleAttribute(name, value);
    else if (value !== undefined && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

const paths = {
  play: "M8 5v14l11-7z",
  pause: "M7 5h4v14H7zM14 5h4v14h-4z",
  previous: "M6 5h2v14H6zM20 5v14l-10-7z",
  next: "M16 5h2v14h-2zM4 5v14l10-7z",
  stop: "M6 6h12v12H6z",
  loud: "M4 9v6h4l5 4V5L8 9zM16 8.5a5 5 0 0 1 0 7l1.4 1.4a7 7 0 0 0 0-9.8z",
  mute: "M4 9v6h4l5 4V5L8 9zM21 9.4 19.6 8 17.5 10.1 15.4 8 14 9.4l2.1 2.1L14 13.6l1.4 1.4 2.1-2.1 2.1 2.1 1.4-1.4-2.1-2.1z",
  add: "M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z",
  remove: "M5 11h14v2H5z",
  grip: "M9 5h2v2H9zM13 5h2v2h-2zM9 11h2v2H9zM13 11h2v2h-2zM9 17h2v2H9zM13 17h2v2h-2z",
  close: "M6.4 5 5 6.4 10.6 12 5 17.6 6.4 19l5.6-5.6 5.6 5.6 1.4-1.4-5.6-5.6L19 6.4 17.6 5 12 10.6z",
  heart: "M12 20 4.7 12.7a4.6 4.6 0 0 1 6.5-6.5l.8.8.8-.8a4.6 4.6 0 0 1 6.5 6.5z",
  wall: "M3 5h18v12H3zM8 19h8v2H8z",
};

export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  svg.append(path);
  draw(svg, name);
  return svg;
}

/** Shows another picture in an icon. */
export function draw(svg, name) {
  if (svg.dataset.name === name) return;
  svg.dataset.name = name;
  svg.firstChild.setAttribute("d", paths[name]);
}

/** A button with a picture; its name is for screen readers and as a tooltip. */
export function iconButton(name, label, onclick, more = {}) {
  return h("button", { type: "button", title: label, "aria-label": label, onclick, ...more, class: `icon ${more.class ?? ""}` }, icon(name));
}

/** Names a button anew. */
export function label(element, text) {
  if (element.title === text) return;
  element.title = text;
  element.setAttribute("aria-label", text);
}

/** Writes text only where it differs, so that nothing is laid out anew for nothing. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Keeps one element for each key, in this order; `make(key)` makes `{ element, show(item) }`. */
export class KeyedList {
  #parts = new Map();

  constructor(parent, make) {
    this.parent = parent;
    this.make = make;
  }

  show(items, key) {
    const wanted = new Set(items.map(key));
    for (const [name, part] of this.#parts) {
      if (wanted.has(name)) continue;
      part.element.remove();
      this.#parts.delete(name);
    }
    let place = this.parent.firstChild;
    for (const item of items) {
      const name = key(item);
      if (!this.#parts.has(name)) this.#parts.set(name, this.make(item));
      const part = this.#parts.get(name);
      part.show(item);
      if (part.element === place) place = place.nextSibling;
      else this.parent.insertBefore(part.element, place);
    }
  }

  part(name) {
    return this.#parts.get(name);
  }
}

/** Seconds as people write them. */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = n => String(n).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** The name of a track where it has no title. */
export function title(item) {
  if (!item) return "";
  if (item.title) return item.title;
  const path = String(item.uri ?? "").split(/[?#]/)[0];
  const name = path.split("/").filter(Boolean).pop() ?? path;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

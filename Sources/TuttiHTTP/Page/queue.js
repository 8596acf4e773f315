import { fileButton, FileList, takeFiles } from "./files.js";
import { clock, h, icon, iconButton, KeyedList, label, title, write } from "./dom.js";
import { askGroup, changed, group, say, shown, store, watch, wish } from "./store.js";
import { texts } from "./texts.js";

const list = h("ol", { class: "list" });
const none = h("p", { class: "quiet" }, texts.emptyQueue);
const shuffle = h("input", { type: "checkbox", onchange: () => set({ shuffle: shuffle.checked }) });
const consume = h("input", { type: "checkbox", onchange: () => set({ consume: consume.checked }) });
const repeat = h("select", { "aria-label": texts.repeat.label, onchange: () => set({ repeat: repeat.value }) });
const crossfade = h("select", {
  "aria-label": texts.crossfade.label, onchange: () => set({ crossfade: Number(crossfade.value) }),
});
const normalise = h("select", {
  "aria-label": texts.normalise.label, onchange: () => set({ normalise: normalise.value }),
});
const night = h("input", { type: "checkbox", onchange: () => set({ night: night.checked }) });
const files = new FileList();
const uri = h("input", { type: "text", name: "uri", required: true, placeholder: texts.address, "aria-label": texts.address });

export function start(element) {
  for (const mode of ["off", "all", "one", "single"]) repeat.append(h("option", { value: mode }, texts.repeat[mode]));
  for (const seconds of [0, 2, 4, 8, 12]) {
    crossfade.append(h("option", { value: seconds }, seconds ? texts.crossfade.seconds(seconds) : texts.crossfade.off));
  }
  for (const mode of ["off", "track", "album"]) normalise.append(h("option", { value: mode }, texts.normalise[mode]));
  element.setAttribute("aria-labelledby", "queue-title");
  element.append(
    h("div", { class: "title" }, h("h2", { id: "queue-title" }, texts.queue),
      h("button", { type: "button", onclick: () => askGroup("DELETE", "queue") }, texts.clear)),
    h("form", { class: "row", onsubmit: add }, uri,
      h("button", { type: "submit", value: "end" }, texts.add),
      h("button", { type: "submit", value: "next" }, texts.addNext),
      h("button", { type: "submit", value: "now" }, texts.playNow)),
    h("div", { class: "row" }, fileButton(texts.files.add, addFiles, { multiple: true }), h("span", { class: "quiet drop" }, texts.files.drop)),
    files.element,
    h("div", { class: "row modes" }, repeat, crossfade, normalise,
      h("label", {}, shuffle, texts.shuffle), h("label", {}, consume, texts.consume), h("label", {}, night, texts.night)),
    list, none);
  const rows = new KeyedList(list, row);
  list.addEventListener("dragover", dragOver);
  list.addEventListener("drop", drop);
  takeFiles(element, addFiles);
  watch(() => {
    const queue = store.queues.get(group()?.name);
    const entries = ordered(queue?.entries ?? []);
    rows.show(entries.map((entry, place) => ({ ...entry, place, isCurrent: entry.index === queue.index })), entry => entry.id);
    none.hidden = Boolean(entries.length);
    if (!queue) return;
    shuffle.checked = queue.shuffle;
    consume.checked = queue.consume;
    night.checked = queue.night ?? false;
    if (document.activeElement !== repeat) repeat.value = queue.repeat;
    if (document.activeElement !== crossfade) crossfade.value = nearest(queue.crossfade);
    if (document.activeElement !== normalise) normalise.value = queue.normalise ?? "off";
  });
}

const nearest = seconds =>
  [...crossfade.options].reduce((best, option) =>
    Math.abs(option.value - seconds) < Math.abs(best.value - seconds) ? option : best).value;

async function set(modes) {
  await keep(askGroup("PATCH", "queue", modes));
}

/** Every edit is answered with the whole queue. */
async function keep(asked, name = group()?.name) {
  const answer = await asked;
  if (answer?.entries) store.queues.set(name, answer);
  changed();
}

async function add(event) {
  event.preventDefault();
  const inputs = [{ uri: uri.value.trim() }];
  const how = event.submitter?.value;
  const answer = how === "now"
    ? await askGroup("POST", "play", { inputs })
    : await askGroup("POST", "queue", { inputs, next: how === "next" });
  if (!answer) return;
  uri.value = "";
  keep(answer);
}

function addFiles(chosen) {
  const name = group()?.name;
  if (name === undefined) return;
  files.send(chosen, async (input, file) => {
    const answer = await askGroup("POST", "queue", { inputs: [input] }, name);
    if (!answer) return;
    say(texts.files.added(file.name));
    keep(answer, name);
  });
}

// MARK: Order

/** The entries with a move that was just made, until the service says so too. */
function ordered(entries) {
  const move = shown("queue/move", null);
  if (!move) return entries;
  const from = entries.findIndex(entry => entry.id === move.id);
  if (from < 0 || from === move.to) return entries;
  const moved = entries.slice();
  moved.splice(move.to, 0, ...moved.splice(from, 1));
  return moved;
}

async function move(entry, to) {
  const queue = store.queues.get(group()?.name);
  if (!queue || to < 0 || to >= queue.entries.length || to === entry.place) return;
  wish("queue/move", { id: entry.id, to });
  await keep(askGroup("POST", `queue/${entry.id}/move`, { to }));
  wish("queue/move", null);
  say(texts.moved(title(entry), to + 1));
}

let dragged = null;

function dragOver(event) {
  if (!dragged) return;
  event.preventDefault();
  const over = event.target.closest("li");
  for (const row of list.children) row.classList.toggle("target", row === over);
}

function drop(event) {
  const over = event.target.closest("li");
  for (const row of list.children) row.classList.remove("target");
  if (!dragged || !over) return;
  event.preventDefault();
  move(dragged, [...list.children].indexOf(over));
}

function row(first) {
  let entry = first;
  const jump = h("button", { type: "button", class: "entry", onclick: () => keep(askGroup("POST", `queue/${entry.id}/jump`)) });
  const [name, by, length] = [h("span"), h("span", { class: "quiet" }), h("span", { class: "length" })];
  jump.append(name, by);
  const grip = h("span", { class: "grip", "aria-hidden": "true" }, icon("grip"));
  const remove = iconButton("close", "", () => keep(askGroup("DELETE", `queue/${entry.id}`)));
  const element = h("li", {
    class: "track-row", draggable: "true", title: texts.entryHint,
    ondragstart: event => {
      dragged = entry;
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", title(entry));
    },
    ondragend: () => (dragged = null),
    onkeydown: event => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!step || !event.altKey) return;
      event.preventDefault();
      const button = event.target;
      move(entry, entry.place + step);
      requestAnimationFrame(() => button.focus());
    },
  }, grip, jump, length, remove);
  return {
    element,
    show(now) {
      entry = now;
      write(name, title(entry));
      write(by, entry.failure ?? [entry.artist, entry.album].filter(Boolean).join(" — "));
      write(length, entry.duration ? clock(entry.duration) : "");
      label(jump, texts.jump(title(entry)));
      label(remove, texts.remove(title(entry)));
      element.classList.toggle("current", entry.isCurrent);
      element.classList.toggle("failed", Boolean(entry.failure));
      if (entry.isCurrent) jump.setAttribute("aria-current", "true");
      else jump.removeAttribute("aria-current");
    },
  };
}

import { segment } from "./api.js";
import { draw, h, iconButton, KeyedList, label, write } from "./dom.js";
import { open as openHealth, verdict } from "./health.js";
import { ask, askGroup, forgetWish, group, isGuest, newest, same, shown, store, watch, wish } from "./store.js";
import { texts } from "./texts.js";

const heading = h("h2", { id: "rooms-title" }, texts.rooms);
const inGroup = h("ul", { class: "list" });
const otherHeading = h("h3", {}, texts.otherRooms);
const others = h("ul", { class: "list" });
const none = h("p", { class: "quiet" }, texts.noRooms);

export function start(element) {
  element.setAttribute("aria-labelledby", "rooms-title");
  element.append(heading, inGroup, otherHeading, others, none);
  const lists = [new KeyedList(inGroup, room => row(room, true)), new KeyedList(others, room => row(room, false))];
  takeDrops(inGroup, () => group()?.name);
  watch(() => {
    const here = roomsHere();
    const rest = store.rooms.filter(room => !here.some(other => same(other.name, room.name)));
    lists[0].show(here, room => room.name);
    lists[1].show(rest, room => room.name);
    otherHeading.hidden = others.hidden = !rest.length;
    none.hidden = Boolean(here.length + rest.length);
  });
}

/** The rooms of the group that is shown: as it plays, or as they are known. */
function roomsHere() {
  const shownGroup = group();
  if (shownGroup?.status?.rooms.length && shownGroup.status.state !== "stopped") return shownGroup.status.rooms;
  return (shownGroup?.rooms ?? []).map(text => {
    const name = text.split("@")[0];
    return store.rooms.find(room => same(room.name, name)) ?? { name, state: "unreachable" };
  });
}

/** Lets rooms that are dragged onto an element join a group. */
export function takeDrops(element, name) {
  element.addEventListener("dragover", event => {
    if (!event.dataTransfer.types.includes("text/x-tutti-room")) return;
    event.preventDefault();
    element.classList.add("target");
  });
  element.addEventListener("dragleave", () => element.classList.remove("target"));
  element.addEventListener("drop", event => {
    element.classList.remove("target");
    const room = event.dataTransfer.getData("text/x-tutti-room");
    if (!room) return;
    event.preventDefault();
    join(room, name());
  });
}

const join = (room, name) => askGroup("POST", "rooms", { rooms: [room] }, name);

function row(first, isHere) {
  let room = first;
  const key = what => `room/${room.name}/${what}`;
  const change = async (what, value) => {
    wish(key(what), value);
    if (!(await ask("PATCH", `/rooms/${segment(room.name)}`, { [what]: value }))) forgetWish(key(what));
  };
  const mute = iconButton("loud", "", () => change("muted", !shown(key("muted"), room.muted ?? false)));
  const sendVolume = newest(value => change("volume", value));
  const volume = h("input", {
    type: "range", min: "0", max: "100",
    oninput: () => {
      wish(key("volume"), Number(volume.value));
      sendVolume(Number(volume.value));
    },
  });
  const health = h("button", { type: "button", class: "health", onclick: () => openHealth(room.name) });
  const membership = isHere
    ? iconButton("remove", texts.room.leave(room.name), () => askGroup("DELETE", `rooms/${segment(room.name)}`))
    : iconButton("add", texts.room.join(room.name), () => join(room.name, group()?.name));
  const words = h("span", { class: "quiet" });
  const element = h("li", {
    class: "room", draggable: "true",
    ondragstart: event => event.dataTransfer.setData("text/x-tutti-room", room.name),
  }, h("div", { class: "name", onclick: () => openHealth(room.name) }, h("span", {}, room.name), words), health, mute, volume, membership);

  // A slider on a thing that can be dragged: the slider wins.
  for (const kind of ["pointerdown", "pointerup", "pointercancel"]) {
    volume.addEventListener(kind, () => (element.draggable = kind !== "pointerdown" && !isGuest()));
  }

  return {
    element,
    show(now) {
      room = now;
      element.draggable = !isGuest();
      membership.hidden = isGuest();
      const isMuted = shown(key("muted"), room.muted ?? false);
      draw(mute.firstChild, isMuted ? "mute" : "loud");
      mute.setAttribute("aria-pressed", String(isMuted));
      label(mute, isMuted ? texts.room.unmute(room.name) : texts.room.mute(room.name));
      volume.disabled = room.volume === undefined;
      volume.setAttribute("aria-label", texts.room.volume(room.name));
      if (room.volume !== undefined) volume.value = shown(key("volume"), Math.round(room.volume));
      const state = room.message || (texts.room.states[room.state] ?? "");
      write(words, [room.screen && texts.room.screen, state].filter(Boolean).join(" · "));
      const { level, text } = verdict(room);
      health.dataset.level = level;
      write(health, text);
      label(health, texts.room.health(room.name));
    },
  };
}

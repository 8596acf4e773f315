import { segment } from "./api.js";
import { h, iconButton, KeyedList, write } from "./dom.js";
import { ask, group, isGuest, readStations, store, watch } from "./store.js";
import { texts } from "./texts.js";

const words = texts.stations;

/** Radio stations: one press plays one in the group that is shown. */
export function start(element) {
  const list = h("ul", { class: "stations" });
  const [name, uri] = [field("name", words.name, "text"), field("uri", words.address, "url")];
  const form = h("form", {
    class: "row", onsubmit: async event => {
      event.preventDefault();
      if (!(await ask("PUT", `/stations/${segment(name.value.trim())}`, { uri: uri.value.trim() }))) return;
      name.value = uri.value = "";
      readStations();
    },
  }, name, uri, h("button", { type: "submit" }, words.keep));
  const more = h("details", {}, h("summary", {}, words.add), form);
  element.setAttribute("aria-labelledby", "stations-title");
  element.append(h("h2", { id: "stations-title" }, words.title), list, more);
  const stations = new KeyedList(list, row);
  watch(() => {
    element.hidden = isGuest();
    stations.show(store.stations, station => station.name);
  });
}

const field = (name, placeholder, type) =>
  h("input", { type, name, placeholder, "aria-label": placeholder, required: true });

function row({ name }) {
  const play = h("button", { type: "button", class: "chip", onclick: () => playStation(name) });
  const remove = iconButton("close", words.remove(name), async () => {
    await ask("DELETE", `/stations/${segment(name)}`);
    readStations();
  });
  return { element: h("li", {}, play, remove), show: station => write(play, station.name) };
}

function playStation(name) {
  const shown = group();
  if (!shown) return;
  ask("POST", `/groups/${segment(shown.name)}/play`, { inputs: [{ uri: `station:${name}` }] });
}

import { segment } from "./api.js";
import { h, iconButton, KeyedList, label, write } from "./dom.js";
import { ask, askGroup, group, isGuest, readPlaylists, say, store, watch } from "./store.js";
import { texts } from "./texts.js";

const words = texts.playlists;

/** Playlists: one press plays one in the group that is shown; its queue can be kept as another one. */
export function start(element) {
  const list = h("ul", { class: "stations" });
  const name = h("input", { type: "text", name: "name", placeholder: words.name, "aria-label": words.name, required: true });
  const form = h("form", {
    class: "row", onsubmit: async event => {
      event.preventDefault();
      const kept = name.value.trim();
      if (!group() || !(await ask("PUT", `/playlists/${segment(kept)}`, { group: group().name }))) return;
      name.value = "";
      say(words.kept(kept));
      readPlaylists();
    },
  }, name, h("button", { type: "submit" }, words.keep));
  element.setAttribute("aria-labelledby", "playlists-title");
  element.append(h("h2", { id: "playlists-title" }, words.title), list, h("details", {}, h("summary", {}, words.save), form));
  const playlists = new KeyedList(list, row);
  watch(() => {
    element.hidden = isGuest();
    playlists.show(store.playlists, playlist => playlist.name);
  });
}

function row({ name }) {
  const play = h("button", {
    type: "button", class: "chip", onclick: () => askGroup("POST", "play", { inputs: [{ uri: `playlist:${name}` }] }),
  });
  const remove = iconButton("close", words.remove(name), async () => {
    await ask("DELETE", `/playlists/${segment(name)}`);
    readPlaylists();
  });
  return {
    element: h("li", {}, play, remove),
    show(playlist) {
      write(play, playlist.name);
      label(play, words.tracks(playlist.tracks));
      play.setAttribute("aria-label", playlist.name);
    },
  };
}

import { listen, useToken } from "./api.js";
import { h, icon, KeyedList, label, write } from "./dom.js";
import * as health from "./health.js";
import * as later from "./later.js";
import * as library from "./library.js";
import * as player from "./player.js";
import * as queue from "./queue.js";
import * as rooms from "./rooms.js";
import * as playlists from "./playlists.js";
import * as stations from "./stations.js";
import * as wall from "./wall.js";
import { apply, changed, choose, group, hearWords, isGuest, say, store, watch } from "./store.js";
import { texts } from "./texts.js";

const at = id => document.getElementById(id);

write(document.querySelector(".skip"), texts.skip);
const wallButton = at("wall-button");
wallButton.className = "icon";
wallButton.append(icon("wall"));
label(wallButton, texts.wall);

player.start(at("player"));
rooms.start(at("rooms"));
queue.start(at("queue"));
library.start(at("library"));
playlists.start(at("playlists"));
stations.start(at("stations"));
later.start(at("later"));
health.start();
wall.start(at("wall"), wallButton);

// Groups.
at("groups").setAttribute("aria-label", texts.groups);
const groups = new KeyedList(at("groups"), first => {
  const element = h("button", { type: "button", class: "chip", onclick: () => choose(first.name) }, first.name);
  rooms.takeDrops(element, () => first.name);
  return {
    element,
    show(now) {
      element.setAttribute("aria-pressed", String(now.name === group()?.name));
      element.dataset.state = now.status?.state ?? "";
    },
  };
});
watch(() => {
  groups.show(store.groups, group => group.name);
  const text = store.isConnected ? (store.isServed ? "" : texts.noService) : (store.problem ?? texts.connecting);
  write(at("banner"), text);
  at("banner").hidden = !text;
  const until = store.access.until && new Date(store.access.until * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  write(at("guest"), isGuest() ? texts.guest(store.access.group, until) : "");
  at("guest").hidden = !isGuest();
  document.title = group()?.status?.item?.title ?? "Tutti";
});

// Words.
hearWords(text => {
  const line = h("p", {}, text);
  at("messages").append(line);
  setTimeout(() => line.remove(), 6_000);
});

// A token, where one is needed.
function askForToken() {
  const input = h("input", { type: "password", autocomplete: "off", "aria-label": texts.token.label, required: true });
  const dialog = h("dialog", {}, h("form", { method: "dialog" },
    h("h2", {}, texts.token.title), h("p", {}, texts.token.hint), input, h("button", { type: "submit" }, texts.token.use)));
  document.body.append(dialog);
  dialog.showModal();
  return new Promise(done =>
    dialog.addEventListener("close", () => {
      if (input.value) useToken(input.value.trim());
      dialog.remove();
      done();
    }));
}

// Nothing is shown before there is all to show: parts that come one after the other would move each other.
const show = () => document.body.classList.remove("loading");
setTimeout(show, 1_500);

listen({
  connected() {
    [store.isConnected, store.problem] = [true, null];
    changed();
  },
  lost(problem) {
    [store.isConnected, store.problem] = [false, problem?.message ?? texts.noService];
    changed();
    show();
  },
  event(name, data) {
    Promise.resolve(apply(name, data)).catch(error => say(error.message)).finally(show);
  },
  askForToken,
});
changed();

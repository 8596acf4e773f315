import { h, iconButton, title, write } from "./dom.js";
import { group, store, watch } from "./store.js";
import { texts } from "./texts.js";

const time = h("p", { class: "time" });
const picture = h("img", { alt: "", hidden: true });
const [name, by] = [h("p", { class: "name" }), h("p", { class: "by" })];

/** A view for a tablet on the wall: art, title and the time. It keeps the screen on where the browser can. */
export function start(element, button) {
  let lock = null;
  const leave = iconButton("close", texts.leaveWall, () => show(false));
  element.append(leave, picture, h("div", {}, time, name, by));
  button.addEventListener("click", () => show(true));
  async function show(isOn) {
    element.hidden = !isOn;
    document.body.classList.toggle("wall", isOn);
    if (isOn) {
      leave.focus();
      await document.documentElement.requestFullscreen?.().catch(() => {});
      lock = await navigator.wakeLock?.request("screen").catch(() => null);
    } else {
      lock?.release();
      button.focus();
      if (document.fullscreenElement) await document.exitFullscreen();
    }
  }
  element.addEventListener("keydown", event => event.key === "Escape" && show(false));
  const draw = () => {
    if (element.hidden) return;
    const item = group()?.status?.item;
    write(time, new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }));
    write(name, item ? title(item) : "");
    write(by, item?.artist ?? "");
    picture.hidden = !store.art;
    if (store.art && picture.src !== store.art) picture.src = store.art;
  };
  watch(draw);
  setInterval(draw, 1000);
}

import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { applyLanguage, applyTheme } from "./device/settings.svelte";
import { keepOnDevice } from "./device/offline";

applyTheme();
await applyLanguage();
mount(App, { target: document.getElementById("table")! });
keepOnDevice();

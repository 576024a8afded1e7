import { mergeConfig } from "vite";
import base from "../vite.config.ts";
export default mergeConfig(base, { root: "/work/main/client", cacheDir: "/tmp/buffet-lab/vite-cache", server: { hmr: false, port: 5247, host: "127.0.0.1" } });

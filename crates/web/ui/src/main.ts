import { mount } from "svelte";
import App from "./App.svelte";
import "./tokens.css";
import "./style.css";
import "./table.css";
import "./board.css";
import "./big.css";
import "./deep.css";
import "./history.css";
import "./thinking.css";

const target = document.getElementById("app");
if (target) mount(App, { target });

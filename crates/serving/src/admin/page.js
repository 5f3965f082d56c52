const told = document.getElementById("told");
const session = "/api/admin/session";

async function tell() {
  const answer = await fetch(session);
  const { admin, open } = await answer.json();
  const here = open ? "" : " Only this machine can come in, and needs no token.";
  told.textContent = (admin ? "You are signed in." : "You are not signed in.") + here;
}

document.getElementById("in").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = document.getElementById("token");
  const body = JSON.stringify({ token: field.value });
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(session, { method: "POST", headers, body });
  field.value = "";
  if (answer.ok) await tell();
  else told.textContent = (await answer.json()).error;
});

document.getElementById("out").addEventListener("click", async () => {
  await fetch(session, { method: "DELETE" });
  await tell();
});

tell();

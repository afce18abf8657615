import { ask, reopen } from './client.js';

const form = document.querySelector('#sign-in');
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const problem = document.querySelector('#problem');
  problem.textContent = '';
  try {
    const { user } = await ask('POST', '/api/sign-ins', Object.fromEntries(new FormData(form)));
    problem.textContent = `Signed in as ${user}.`;
    form.password.value = '';
    reopen();
  } catch (error) {
    problem.textContent = error.message;
  }
});

document.querySelector('#to').addEventListener('input', (event) => {
  document.querySelector('carillon-click-to-call').setAttribute('to', event.target.value);
});

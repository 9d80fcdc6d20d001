// Helpers that many modules use to fill the page.

export const byId = (id) => document.getElementById(id);

// A share from 0 to 1 in words.
export const percent = (share) => `${Math.round(100 * share)} %`;

// A number of bytes in words, rounded up, so that it never reads as below a limit.
export const megabytes = (bytes) => `${Math.ceil(bytes / 100_000) / 10} MB`;

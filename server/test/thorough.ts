/** `npm run check:all` tries more of what is drawn by lot than each change waits for. */
export const thorough = process.env['CHECK_ALL'] !== undefined

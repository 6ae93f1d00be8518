// Where the world of this process is: each worker of Playwright is a process, and has one.

/** `http://127.0.0.1:3000` */
export let okaeriUrl = ''
export let sandboxUrl = ''
/** What `npm start` and the operator's commands of this world are given. */
export let environment: Record<string, string> = {}

export interface Addresses {
  okaeriUrl: string
  sandboxUrl: string
  environment: Record<string, string>
}

export function enter(world: Addresses): void {
  ;({ okaeriUrl, sandboxUrl, environment } = world)
}

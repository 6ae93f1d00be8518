/** Files a document names in code quotes, with the line: `campaigns/reservation.ts`, `reservation.ts`. Patterns (`*`, `<`) are left out. */
export function filesNamedIn(document: string): { line: number; file: string }[] {
  return document.split('\n').flatMap((text, at) =>
    [...text.matchAll(/`(?:\.{1,2}\/)*([\w./-]+\.(?:tsx?|mjs|sql|md))`/g)].map(([, file = '']) => ({
      line: at + 1,
      file,
    })),
  )
}

/** Whether one of the files ends in what was named, at the border of a name. */
export const isAmong = (files: readonly string[], named: string): boolean =>
  files.some((file) => file === named || file.endsWith(`/${named}`) || (/^[.-]/.test(named) && file.endsWith(named)))

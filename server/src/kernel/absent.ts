/** Whether a file or folder is not there: an ordinary answer, unlike one that may not be read. */
export const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** For `catch`: what to go on with where a file or folder is not there. Every other failure goes on. */
export const ifAbsent =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (isAbsent(error)) return instead
    throw error
  }

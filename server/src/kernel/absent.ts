/** Whether a file or folder does not exist: an expected result, unlike one that cannot be read. */
export const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** For `catch`: the value if a file or folder does not exist. Any other error is thrown again. */
export const ifAbsent =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (isAbsent(error)) return instead
    throw error
  }

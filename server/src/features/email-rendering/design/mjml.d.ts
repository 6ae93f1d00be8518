// What we use of MJML 5, which brings no types.
declare module 'mjml-core' {
  interface Options {
    presets: readonly unknown[]
    validationLevel: 'strict' | 'soft' | 'skip'
    ignoreIncludes: boolean
    minify: boolean
    fonts: Record<string, string>
  }
  const exported: {
    default: (source: string, options: Options) => Promise<{ html: string; errors: { formattedMessage: string }[] }>
  }
  export default exported
}
declare module 'mjml-preset-core' {
  const preset: unknown
  export default preset
}

import mjml from 'mjml-core'
import preset from 'mjml-preset-core'
import { type DesignToCompile, mjmlOf } from './design-mjml.ts'
import { withKept } from './design-typed.ts'

/**
 * The content of a mail made of blocks: HTML for all mail programs, with the tags left as they are. A thread's work: it loads MJML, and takes
 * milliseconds for an ordinary mail, more for a long one.
 */
export async function compileDesign(made: DesignToCompile): Promise<string> {
  const { html, errors } = await mjml.default(mjmlOf(made), {
    presets: [preset],
    validationLevel: 'strict',
    ignoreIncludes: true,
    minify: false,
    // Nothing is loaded from elsewhere.
    fonts: {},
  })
  const [error] = errors
  if (error) throw new Error(`a design became wrong MJML: ${error.formattedMessage}`)
  // Lines of blanks alone are half of it.
  return withKept(
    html
      .replaceAll(/[ \t]+$/gm, '')
      .replaceAll(/\n{2,}/g, '\n')
      .trim(),
  )
}

/** `broken`: cannot be read. `not_offered`: a filter or a range that multiplies work. `too_costly`: it takes or grows too much. */
export type TemplateFault = 'broken' | 'not_offered' | 'too_costly'

/** Liquid that cannot be read or run; `line` counts from 1 within the source. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
  readonly line: number
  readonly fault: TemplateFault
  constructor(message: string, line: number, fault: TemplateFault = 'broken', options?: ErrorOptions) {
    super(message, options)
    this.line = line
    this.fault = fault
  }
}

/** The same as plain data, as it leaves a thread. */
export interface Failure {
  message: string
  line: number
  fault: TemplateFault
}

export const failureOf = ({ message, line, fault }: TemplateError): Failure => ({ message, line, fault })

import type { ReactNode } from 'react'

/** A form that shows its errors itself, instead of the browser. */
export const Form = ({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) => (
  <form
    noValidate
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
    }}
  >
    {children}
  </form>
)

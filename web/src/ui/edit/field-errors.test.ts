import { expect, test } from 'vitest'
import { fieldErrors, inOrderOf } from './field-errors.ts'

test('an empty field counts as missing, not as too short or of a wrong form', () => {
  const issues = [
    { path: ['email'], message: 'not_an_email' },
    { path: ['password'], message: 'too_short' },
    { path: ['address', 'zip'], message: 'too_short' },
    { path: ['tags', 1], message: 'too_long' },
  ]
  const values = { email: '', password: 'abc', address: { zip: '' }, tags: ['a', 'b'] }
  expect(fieldErrors(issues, values)).toEqual({
    email: 'required',
    password: 'too_short',
    'address.zip': 'required',
    'tags.1': 'too_long',
  })
})

test('errors are listed in the order of the page, those of unknown fields last', () => {
  const labels = { site_name: 'Site name', email: 'Email', tags: 'Tags' }
  const errors = { other: 'invalid', 'tags.2': 'too_long', email: 'required', site_name: 'required' }
  expect(inOrderOf(labels, errors).map(([path]) => path)).toEqual(['site_name', 'email', 'tags.2', 'other'])
})

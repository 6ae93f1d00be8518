import { Text } from '@mantine/core'

/** The whole address, or a text that ends with one; wraps before the @ if it does not fit into one line. */
export function EmailAddress({ address }: { address: string }) {
  const at = address.includes('@') ? address.lastIndexOf('@') : address.length
  return (
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </Text>
  )
}

import { Text } from '@mantine/core'

/** The whole address; wraps before the @ if it does not fit into one line. */
export function EmailAddress({ address }: { address: string }) {
  const at = address.lastIndexOf('@')
  return (
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </Text>
  )
}

/** As the installation's own address, at another host. */
export function linkBase(publicUrl: string, host: string): string {
  const url = new URL(publicUrl)
  url.hostname = host
  return url.href.replace(/\/$/, '')
}

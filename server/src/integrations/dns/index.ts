export { createDns, type Dns, type DnsAnswer } from './dns.ts'

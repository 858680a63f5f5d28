// Which addresses are of the public Internet, in every spelling.

import { expect, test } from "bun:test";
import { isPublicAddress } from "./public-address.ts";

test.each<[string, boolean]>([
  ["8.8.8.8", true],
  ["1.1.1.1", true],
  ["172.32.0.1", true],
  ["2606:4700::1111", true],
  ["64:ff9b::808:808", true],
  ["127.0.0.1", false],
  ["10.1.2.3", false],
  ["172.16.0.1", false],
  ["172.31.255.255", false],
  ["192.168.1.1", false],
  ["169.254.169.254", false],
  ["100.64.0.1", false],
  ["0.0.0.0", false],
  ["255.255.255.255", false],
  ["224.0.0.1", false],
  ["::", false],
  ["::1", false],
  ["[::1]", false],
  ["fe80::1%eth0", false],
  ["fd00::1", false],
  ["ff02::1", false],
  ["::ffff:10.0.0.1", false],
  ["::ffff:a00:1", false],
  ["64:ff9b::a00:1", false],
  ["2002:7f00:1::", false],
  ["2001:db8::1", false],
  ["fd00:ec2::254", false],
  ["no address", false],
  ["1.2.3", false],
  ["1.2.3.400", false],
  ["1:2:3", false],
  ["::1::", false],
])("%s is public: %p", (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});

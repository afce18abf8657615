package io.carillon.net.tls;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/** Writes the few forms of DER (X.690) that keys and certificates are made of. */
final class DerWriter {

    static final int INTEGER = 0x02;
    static final int BIT_STRING = 0x03;
    static final int OCTET_STRING = 0x04;
    static final int NULL = 0x05;
    static final int OID = 0x06;
    static final int UTF8 = 0x0c;
    static final int UTC_TIME = 0x17;
    static final int GENERALIZED_TIME = 0x18;
    static final int SEQUENCE = 0x30;
    static final int SET = 0x31;

    private DerWriter() {}

    /** One element: tag, length, and the given contents one after the other. */
    static byte[] of(int tag, byte[]... contents) {
        int length = 0;
        for (byte[] part : contents) {
            length += part.length;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(length + 6);
        out.write(tag);
        if (length < 0x80) {
            out.write(length);
        } else {
            int bytes = (Integer.SIZE - Integer.numberOfLeadingZeros(length) + 7) / 8;
            out.write(0x80 | bytes);
            for (int i = bytes - 1; i >= 0; i--) {
                out.write(length >>> (8 * i));
            }
        }
        for (byte[] part : contents) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    static byte[] integer(BigInteger value) {
        return of(INTEGER, value.toByteArray());
    }

    static byte[] integer(long value) {
        return integer(BigInteger.valueOf(value));
    }

    /** An object identifier out of its dotted form. */
    static byte[] oid(String dotted) {
        String[] arcs = dotted.split("\\.", -1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        base128(out, 40L * Long.parseLong(arcs[0]) + Long.parseLong(arcs[1]));
        for (int i = 2; i < arcs.length; i++) {
            base128(out, Long.parseLong(arcs[i]));
        }
        return of(OID, out.toByteArray());
    }

    private static void base128(ByteArrayOutputStream out, long value) {
        int shift = 7 * ((Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, value)) - 1) / 7);
        for (; shift > 0; shift -= 7) {
            out.write((int) (0x80 | ((value >>> shift) & 0x7f)));
        }
        out.write((int) (value & 0x7f));
    }

    /** A bit string of whole bytes. */
    static byte[] bits(byte[] bytes) {
        return of(BIT_STRING, new byte[] {0}, bytes);
    }

    static byte[] text(int tag, String value) {
        return of(tag, value.getBytes(StandardCharsets.UTF_8));
    }

    /** An element that is there once more under a context tag. */
    static byte[] explicit(int number, byte[] element) {
        return of(0xa0 | number, element);
    }
}

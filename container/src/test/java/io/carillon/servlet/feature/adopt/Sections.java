package io.carillon.servlet.feature.adopt;

import io.carillon.sip.bytes.StateReader;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** Takes records apart by what their form says of sections: number, version, length. */
final class Sections {
    private static final int SESSION = 3;

    private Sections() {}

    private static final class Cursor {
        private final byte[] bytes;
        private int at;

        Cursor(byte[] bytes) {
            this.bytes = bytes;
        }

        long number() {
            long value = 0;
            for (int shift = 0; ; shift += 7) {
                byte b = bytes[at++];
                value |= (long) (b & 0x7F) << shift;
                if (b >= 0) {
                    return value;
                }
            }
        }

        int length() {
            int size = 0;
            for (int i = 0; i < 4; i++) {
                size = size << 8 | (bytes[at++] & 0xFF);
            }
            return size;
        }
    }

    /** What is done with a section; null takes it out. */
    interface Change {
        byte[] of(int number, int within, byte[] whole, int content);
    }

    /**
     * The record with each section changed, those in sessions too.
     *
     * @param within 0 on top, else the number of the section around it
     */
    static byte[] changed(byte[] record, int within, Change change) {
        Cursor in = new Cursor(record);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        while (in.at < record.length) {
            int begin = in.at;
            int number = (int) in.number();
            in.number();
            int length = in.length();
            int content = in.at;
            in.at += length;
            byte[] whole = Arrays.copyOfRange(record, begin, in.at);
            if (number == SESSION && within == 0) {
                byte[] inner = changed(Arrays.copyOfRange(record, content, in.at), SESSION, change);
                whole = section(number, inner);
            }
            byte[] then = change.of(number, within, whole, whole.length - (in.at - content));
            if (then != null) {
                out.writeBytes(then);
            }
        }
        return out.toByteArray();
    }

    /** A section of that content, of version 1. */
    static byte[] section(int number, byte[] content) {
        byte[] head = new byte[6];
        head[0] = (byte) number;
        head[1] = 1;
        for (int i = 0; i < 4; i++) {
            head[2 + i] = (byte) (content.length >>> (24 - 8 * i));
        }
        byte[] whole = Arrays.copyOf(head, 6 + content.length);
        System.arraycopy(content, 0, whole, 6, content.length);
        return whole;
    }

    /**
     * Without a section.
     *
     * @param path its number; of one in sessions "3." and its number
     */
    static byte[] without(byte[] record, String path) {
        int dot = path.indexOf('.');
        int within = dot < 0 ? 0 : Integer.parseInt(path.substring(0, dot));
        int wanted = Integer.parseInt(path.substring(dot + 1));
        return changed(
                record,
                0,
                (number, around, whole, content) ->
                        number == wanted && around == within ? null : whole);
    }

    /** Where a reader is behind the header. */
    static StateReader reader(byte[] record) {
        return new StateReader(record);
    }
}

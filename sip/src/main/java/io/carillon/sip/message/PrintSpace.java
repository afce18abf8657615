package io.carillon.sip.message;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.ByteWriter;
import org.jspecify.annotations.Nullable;

/**
 * What a thread needs to print messages and to check what goes into them, made once: a message is
 * printed here and then copied in its own length, so that a kept one holds no unused bytes.
 *
 * <p>Owner: the thread that asks. Nothing in here is ever given out.
 */
final class PrintSpace {
    /** A writer that grew beyond this is let go after the message. */
    private static final int MOST_BYTES = 16 * 1024;

    private static final int FIRST_BYTES = 2048;
    private static final ThreadLocal<PrintSpace> MINE = ThreadLocal.withInitial(PrintSpace::new);

    private final HeaderSyntax syntax = new HeaderSyntax();
    private final MessageIndex index = new MessageIndex(32);
    private final MessagePrinter printer = new MessagePrinter();
    private ByteWriter out = new ByteWriter(FIRST_BYTES);

    private PrintSpace() {}

    static PrintSpace mine() {
        return MINE.get();
    }

    /** Empty. */
    ByteWriter out() {
        if (out.array().length > MOST_BYTES) {
            out = new ByteWriter(FIRST_BYTES);
        }
        out.clear();
        return out;
    }

    /** Empty. */
    MessageIndex index() {
        index.clear();
        return index;
    }

    MessagePrinter printer() {
        return printer;
    }

    /** What is wrong with this value of that header; null when it is right. */
    @Nullable String check(int id, byte[] b, int from, int to) {
        return syntax.check(id, b, from, to);
    }

    /** What is wrong with this value of that header; null when it is right. */
    @Nullable String check(int id, String value) {
        ByteWriter bytes = out().put(value);
        byte[] b = bytes.array();
        int from = Ascii.skipLws(b, 0, bytes.length());
        return syntax.check(id, b, from, Ascii.trimEnd(b, from, bytes.length()));
    }
}

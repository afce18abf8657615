package io.carillon.server.cli;

import io.carillon.sip.bytes.LogText;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;

/**
 * What the commands print, which holds what strangers wrote: controls (C0 but tabulator and line
 * feed, C1) and marks of writing direction are shown by their numbers, as JSON does it, so that
 * they are nothing that a terminal obeys. One thread, that of the command.
 */
final class TerminalWriter extends FilterWriter {
    private final PrintWriter terminal;

    private TerminalWriter(PrintWriter terminal) {
        super(terminal);
        this.terminal = terminal;
    }

    /** A writer before this one; the same where it is one of ours. */
    static PrintWriter before(PrintWriter terminal) {
        return terminal instanceof Printer ? terminal : new Printer(new TerminalWriter(terminal));
    }

    /** Tells what is wrapped already. */
    private static final class Printer extends PrintWriter {
        Printer(TerminalWriter out) {
            super(out, true);
        }
    }

    /** The text as a terminal may have it; the same object where there is nothing to change. */
    static String safe(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (obeyed(text.charAt(i))) {
                return escaped(text);
            }
        }
        return text;
    }

    private static String escaped(String text) {
        StringBuilder out = new StringBuilder(text.length() + 32);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (obeyed(c)) {
                out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    private static boolean obeyed(char c) {
        return c != '\n' && LogText.isCommand(c);
    }

    @Override
    public void write(int c) {
        write(String.valueOf((char) c));
    }

    @Override
    public void write(char[] text, int offset, int length) {
        write(new String(text, offset, length));
    }

    @Override
    public void write(String text, int offset, int length) {
        write(text.substring(offset, offset + length));
    }

    @Override
    public void write(String text) {
        terminal.write(safe(text));
    }

    /**
     * @throws IOException when the terminal is gone, which a {@link PrintWriter} would keep to
     *     itself
     */
    @Override
    public void flush() throws IOException {
        if (terminal.checkError()) {
            throw new IOException("the terminal is gone");
        }
    }
}

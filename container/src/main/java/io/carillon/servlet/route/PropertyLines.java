package io.carillon.servlet.route;

import java.util.ArrayList;
import java.util.List;

/**
 * The entries of a Java properties file with the lines they came from: comments, continuation by a
 * backslash, escapes as {@code java.util.Properties} reads them. (That class forgets the lines, and
 * of two equal keys keeps one without a word.)
 */
final class PropertyLines {
    /** A key and its value. */
    static final class Entry {
        final String key;
        final String value;
        private final int[] lines;

        Entry(String key, String value, int[] lines) {
            this.key = key;
            this.value = value;
            this.lines = lines;
        }

        /**
         * Line of the file that the value's character came from, from 1; past the end: the last
         * line.
         */
        int line(int at) {
            return lines[Math.min(at, lines.length - 1)];
        }
    }

    private final String file;
    private final String[] text;
    private final List<Entry> entries = new ArrayList<>();
    private int next;

    private PropertyLines(String file, String content) {
        this.file = file;
        this.text = content.split("\r\n|\n|\r", -1);
    }

    static List<Entry> parse(String file, String content) {
        PropertyLines lines = new PropertyLines(file, content);
        while (lines.next < lines.text.length) {
            lines.logicalLine();
        }
        return lines.entries;
    }

    private void logicalLine() {
        String first = text[next].strip();
        if (first.isEmpty() || first.charAt(0) == '#' || first.charAt(0) == '!') {
            next++;
            return;
        }
        StringBuilder joined = new StringBuilder();
        List<Integer> lineOf = new ArrayList<>();
        boolean more = true;
        while (more && next < text.length) {
            String line = text[next].stripLeading();
            more = continues(line);
            int length = more ? line.length() - 1 : line.length();
            joined.append(line, 0, length);
            for (int i = 0; i < length; i++) {
                lineOf.add(next + 1);
            }
            next++;
        }
        lineOf.add(next);
        split(joined, lineOf);
    }

    /**
     * An odd number of backslashes at the end. Blanks behind the last one are a common slip: they
     * are passed over.
     */
    private static boolean continues(String line) {
        String end = line.stripTrailing();
        int count = 0;
        while (count < end.length() && end.charAt(end.length() - 1 - count) == '\\') {
            count++;
        }
        return count % 2 == 1 && end.length() == line.length();
    }

    private void split(CharSequence line, List<Integer> lineOf) {
        int at = 0;
        StringBuilder key = new StringBuilder();
        while (at < line.length() && !ends(line.charAt(at))) {
            at = unescape(line, at, key, lineOf);
        }
        while (at < line.length() && Character.isWhitespace(line.charAt(at))) {
            at++;
        }
        if (at < line.length() && (line.charAt(at) == '=' || line.charAt(at) == ':')) {
            at++;
        }
        while (at < line.length() && Character.isWhitespace(line.charAt(at))) {
            at++;
        }
        StringBuilder value = new StringBuilder();
        List<Integer> valueLines = new ArrayList<>();
        while (at < line.length()) {
            valueLines.add(lineOf.get(at));
            at = unescape(line, at, value, lineOf);
        }
        valueLines.add(lineOf.getLast());
        int[] lines = valueLines.stream().mapToInt(Integer::intValue).toArray();
        entries.add(new Entry(key.toString(), value.toString(), lines));
    }

    private static boolean ends(char c) {
        return c == '=' || c == ':' || Character.isWhitespace(c);
    }

    private int unescape(CharSequence line, int at, StringBuilder to, List<Integer> lineOf) {
        char c = line.charAt(at);
        if (c != '\\' || at + 1 >= line.length()) {
            to.append(c);
            return at + 1;
        }
        char escaped = line.charAt(at + 1);
        switch (escaped) {
            case 't' -> to.append('\t');
            case 'n' -> to.append('\n');
            case 'r' -> to.append('\r');
            case 'f' -> to.append('\f');
            case 'u' -> {
                to.append(unicode(line, at + 2, lineOf.get(at)));
                return at + 6;
            }
            default -> to.append(escaped);
        }
        return at + 2;
    }

    private char unicode(CharSequence line, int at, int lineNumber) {
        try {
            return (char) Integer.parseInt(line.subSequence(at, at + 4).toString(), 16);
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            throw new RouterException(file, lineNumber, "\\u needs four hexadecimal digits", e);
        }
    }
}

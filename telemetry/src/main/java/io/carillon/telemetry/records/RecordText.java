package io.carillon.telemetry.records;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Records as text: JSON in one line, and CSV (RFC 4180). */
final class RecordText {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Its escape, behind any backslashes that are escaped themselves. */
    private static final Pattern NUL = Pattern.compile("(?<!\\\\)((?:\\\\\\\\)*)\\\\u0000");

    private static final RecordComponent[] COLUMNS = CallRecord.class.getRecordComponents();

    private RecordText() {}

    static String json(CallRecord record) {
        return wellFormed(JSON.writeValueAsString(record));
    }

    /**
     * Each surrogate that is no half of a pair as U+FFFD. Bytes of a message that are no UTF-8 are
     * surrogates, and a text that was cut may end with one; no file takes them.
     */
    private static String wellFormed(String text) {
        StringBuilder changed = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!Character.isSurrogate(c)) {
                continue;
            }
            if (i + 1 < text.length() && Character.isSurrogatePair(c, text.charAt(i + 1))) {
                i++;
                continue;
            }
            changed = changed == null ? new StringBuilder(text) : changed;
            changed.setCharAt(i, '\uFFFD');
        }
        return changed == null ? text : changed.toString();
    }

    /** The same record without U+0000 in any of its texts; a backslash that is one stays. */
    static String withoutNul(String json) {
        return json.contains("\\u0000") ? NUL.matcher(json).replaceAll("$1") : json;
    }

    /** What a line says it is, for people. */
    static String named(String json) {
        try {
            return read(json).id();
        } catch (IllegalArgumentException e) {
            return "a line that is no record (" + e.getMessage() + ")";
        }
    }

    /**
     * @throws IllegalArgumentException when it is no record
     */
    static CallRecord read(String json) {
        try {
            return JSON.readValue(json, CallRecord.class);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("no record: " + e.getOriginalMessage(), e);
        }
    }

    /** The line of names. */
    static String csvHead() {
        List<String> names = new ArrayList<>();
        for (RecordComponent column : COLUMNS) {
            names.add(column.getName());
        }
        return String.join(",", names);
    }

    static String csv(CallRecord record) {
        StringBuilder line = new StringBuilder();
        for (RecordComponent column : COLUMNS) {
            if (!line.isEmpty()) {
                line.append(',');
            }
            line.append(cell(value(column, record)));
        }
        return wellFormed(line.toString());
    }

    private static Object value(RecordComponent column, CallRecord record) {
        try {
            Object value = column.getAccessor().invoke(record);
            return switch (value) {
                case null -> "";
                case String text -> text;
                case Number number -> number;
                default -> JSON.writeValueAsString(value);
            };
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("call record " + column, e);
        }
    }

    /**
     * RFC 4180 2: quoted where it has to be. A cell that a spreadsheet would take for a formula
     * gets an apostrophe: its text is a stranger's.
     */
    private static String cell(Object value) {
        String text = value.toString();
        if (value instanceof String && !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0) {
            text = "'" + text;
        }
        boolean quote = false;
        for (int i = 0; i < text.length() && !quote; i++) {
            quote = ",\"\r\n".indexOf(text.charAt(i)) >= 0;
        }
        return quote ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }
}

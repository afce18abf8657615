package io.carillon.telemetry.records;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Records as text: JSON in one line, and CSV (RFC 4180). */
final class RecordText {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final RecordComponent[] COLUMNS = CallRecord.class.getRecordComponents();

    private RecordText() {}

    static String json(CallRecord record) {
        return JSON.writeValueAsString(record);
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
        return line.toString();
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

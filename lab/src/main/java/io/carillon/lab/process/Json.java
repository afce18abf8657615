package io.carillon.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Records as JSON in files. A file is there whole or not at all, also after a kill. */
public final class Json {
    public static final JsonMapper LINES = JsonMapper.builder().build();
    private static final JsonMapper FILES =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private Json() {}

    public static void write(Path file, Object record) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        Files.writeString(part, FILES.writeValueAsString(record) + "\n");
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    public static <T> T read(Path file, Class<T> type) throws IOException {
        try {
            return FILES.readValue(Files.readString(file), type);
        } catch (JacksonException e) {
            throw new IOException(file + " cannot be read: " + e.getOriginalMessage(), e);
        }
    }
}

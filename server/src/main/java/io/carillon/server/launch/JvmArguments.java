package io.carillon.server.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What of the arguments of {@code carillon run} is for the JVM.
 *
 * @param options those of {@code --jvm}
 * @param file that of {@code --jvm-options}, or null
 * @param show whether the options are only to be printed
 * @param record whether the start cache is only to be recorded
 */
record JvmArguments(List<String> options, @Nullable Path file, boolean show, boolean record) {
    private static final String OPTION = "--jvm";
    private static final String FILE = "--jvm-options";

    /** Reads them; other arguments are the server's. */
    static JvmArguments of(List<String> arguments) throws LaunchFailure {
        List<String> options = new ArrayList<>();
        Path file = null;
        boolean show = arguments.contains("--show-jvm");
        boolean record = arguments.contains("--record-start");
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            int equals = argument.indexOf('=');
            String name = equals < 0 ? argument : argument.substring(0, equals);
            if (name.equals(OPTION) || name.equals(FILE)) {
                String value = argument.substring(equals + 1);
                if (equals < 0) {
                    i++;
                    if (i == arguments.size()) {
                        throw LaunchFailure.wrong(missing(name));
                    }
                    value = arguments.get(i);
                }
                if (name.equals(OPTION)) {
                    options.addAll(words(value));
                } else {
                    file = Path.of(value);
                }
            }
        }
        return new JvmArguments(options, file, show, record);
    }

    private static String missing(String name) {
        return name.equals(OPTION)
                ? "--jvm needs a JVM option, as in: --jvm -Xmx2g"
                : "--jvm-options needs a file with a JVM option on each line";
    }

    /**
     * The options that are in force: of the shipped file or the named one, then the owner's.
     *
     * @param kept a file of the owner's, which need not be there
     * @param environment what the environment adds
     */
    JvmOptions joined(Path shipped, Path kept, String environment) throws LaunchFailure {
        Path source = file == null ? shipped : file;
        if (!Files.isReadable(source) || !Files.isRegularFile(source)) {
            throw LaunchFailure.wrong("--jvm-options: " + source + " is no file that can be read");
        }
        List<String> own = new ArrayList<>();
        if (file == null && Files.exists(kept)) {
            own.addAll(read(kept));
        }
        own.addAll(words(environment));
        own.addAll(options);
        return new JvmOptions(source, read(source), own);
    }

    private static List<String> read(Path file) throws LaunchFailure {
        try {
            return JvmOptions.read(file);
        } catch (IOException e) {
            throw LaunchFailure.failed(file + " cannot be read: " + e.getMessage());
        }
    }

    /** Blanks part options. */
    private static List<String> words(String text) {
        return Arrays.stream(text.split("\\s+")).filter(word -> !word.isEmpty()).toList();
    }
}

package io.carillon.lab.study;

import io.carillon.lab.process.WrongSetting;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * JVM settings of a user's own: a line {@code NAME = OPTION OPTION ...} for each, empty lines, and
 * comments that begin with '#'.
 */
final class SettingsFile {
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,29}");

    /** -Xmx512m, -Xms512m, -XX:MaxHeapSize=...: the study's own heap size would meet them. */
    private static final Pattern HEAP =
            Pattern.compile(
                    "-Xmx.*|-Xms.*|-XX:(Max|Initial|Min)HeapSize=.*|-XX:.*RAMPercentage=.*");

    private static final Pattern COLLECTOR = Pattern.compile("-XX:\\+Use[A-Za-z0-9]*GC");

    private SettingsFile() {}

    static List<JvmSetting> read(Path file) throws IOException, WrongSetting {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            throw new WrongSetting("the settings file " + file + " does not exist");
        } catch (MalformedInputException e) {
            throw new WrongSetting("the settings file " + file + " is no text in UTF-8");
        }
        return parse(lines, file.toString());
    }

    static List<JvmSetting> parse(List<String> lines, String file) throws WrongSetting {
        List<JvmSetting> settings = new ArrayList<>();
        Set<String> names = new HashSet<>(JvmSetting.names());
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                settings.add(setting(line, file + ":" + (i + 1) + ": ", names));
            }
        }
        if (settings.isEmpty()) {
            throw new WrongSetting(file + ": no setting in it; a line is NAME = OPTION OPTION ...");
        }
        return settings;
    }

    private static JvmSetting setting(String line, String place, Set<String> names)
            throws WrongSetting {
        int equals = line.indexOf('=');
        String name = line.substring(0, Math.max(0, equals)).strip();
        if (!NAME.matcher(name).matches()) {
            throw new WrongSetting(
                    place
                            + "a line is NAME = OPTION OPTION ..., the name of lower-case letters, digits and"
                            + " dashes, at most 30");
        }
        if (!names.add(name)) {
            throw new WrongSetting(place + "there is a setting '" + name + "' already");
        }
        List<String> options = List.of(line.substring(equals + 1).strip().split("\\s+"));
        for (String option : options) {
            check(option, place);
        }
        long collectors = options.stream().filter(o -> COLLECTOR.matcher(o).matches()).count();
        if (collectors != 1) {
            throw new WrongSetting(
                    place
                            + "a setting names one collector (-XX:+UseSerialGC, ParallelGC, G1GC, ZGC or"
                            + " ShenandoahGC), this one "
                            + (collectors == 0 ? "none" : collectors));
        }
        return new JvmSetting(name, options);
    }

    private static void check(String option, String place) throws WrongSetting {
        if (!option.startsWith("-")) {
            throw new WrongSetting(
                    place + "'" + option + "' is no JVM option; one begins with - or -XX:");
        }
        if (HEAP.matcher(option).matches()) {
            throw new WrongSetting(
                    place + option + " would meet the heap that --heap gives to every setting");
        }
    }
}

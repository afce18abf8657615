package io.carillon.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The inputs of a target that are checked in: {@code TARGET.tar} with the many that runs found,
 * whose names are the hashes of their bytes, and the folder {@code TARGET} with those that have a
 * name. One thread; two processes must not write at once.
 */
final class Corpus {
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{40}");

    private final Path archive;
    private final Path folder;

    /**
     * @param home of the project
     */
    Corpus(Path home, FuzzTarget target) {
        Path corpus = home.resolve("fuzz/corpus");
        archive = corpus.resolve(target.label() + ".tar");
        folder = corpus.resolve(target.label());
    }

    /** Whether that is what a run calls an input, for want of a name. */
    static boolean isHash(String name) {
        return HASH.matcher(name).matches();
    }

    /**
     * All of them by name, without those of other folders.
     *
     * @throws IOException when they cannot be read, or two that differ have the same name
     */
    SortedMap<String, byte[]> inputs() throws IOException {
        SortedMap<String, byte[]> inputs = archived();
        for (Map.Entry<String, byte[]> named : named().entrySet()) {
            byte[] other = inputs.put(named.getKey(), named.getValue());
            if (other != null && !Arrays.equals(other, named.getValue())) {
                throw new IOException(named.getKey() + " lies in " + archive + " and beside it");
            }
        }
        return inputs;
    }

    /** What the archive holds, by name; nothing where there is none. */
    SortedMap<String, byte[]> archived() throws IOException {
        return Files.exists(archive) ? InputArchive.read(archive) : new TreeMap<>();
    }

    /** What lies in the folder, by name; nothing where there is none. */
    SortedMap<String, byte[]> named() throws IOException {
        return files(folder);
    }

    private static SortedMap<String, byte[]> files(Path folder) throws IOException {
        SortedMap<String, byte[]> inputs = new TreeMap<>();
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    inputs.put(file.getFileName().toString(), Files.readAllBytes(file));
                }
            }
        }
        return inputs;
    }

    /**
     * Puts each into a file of its own, for Jazzer.
     *
     * @param to a folder for them alone: what was in it goes
     * @return the same
     */
    Path unpack(Path to) throws IOException {
        delete(to);
        Files.createDirectories(to);
        for (Map.Entry<String, byte[]> input : inputs().entrySet()) {
            Files.write(to.resolve(input.getKey()), input.getValue());
        }
        return to;
    }

    /** Deletes a folder with all that is in it. */
    static void delete(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    /**
     * Writes the archive again, with what is new in a folder. What lies beside the archive and has
     * no name, or is in it too, is there no more.
     *
     * @param unpacked a folder of {@link #unpack} to which inputs were added
     * @return how many inputs the target has now
     */
    int keep(Path unpacked) throws IOException {
        SortedMap<String, byte[]> all = files(unpacked);
        all.putAll(inputs());
        SortedMap<String, byte[]> beside = named();
        beside.keySet().removeIf(Corpus::isHash);
        beside.keySet().removeAll(archived().keySet());
        SortedMap<String, byte[]> archived = new TreeMap<>(all);
        archived.keySet().removeAll(beside.keySet());
        Files.createDirectories(folder.getParent());
        InputArchive.write(archived, archive);
        for (String name : named().keySet()) {
            if (archived.containsKey(name)) {
                Files.delete(folder.resolve(name));
            }
        }
        return all.size();
    }
}

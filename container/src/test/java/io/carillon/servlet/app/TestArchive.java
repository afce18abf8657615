package io.carillon.servlet.app;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * Builds archives for tests: classes are compiled from source, so that they are nowhere but in the
 * archive.
 */
public final class TestArchive {
    private final Path folder;
    private final Map<String, byte[]> entries = new TreeMap<>();

    public TestArchive(Path folder) {
        this.folder = folder;
    }

    public TestArchive file(String name, String content) {
        entries.put(name, content.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    public TestArchive file(String name, byte[] content) {
        entries.put(name, content);
        return this;
    }

    public TestArchive sipXml(String content) {
        return file("WEB-INF/sip.xml", content);
    }

    /** Compiles sources, each beginning with its package, into WEB-INF/classes. */
    public TestArchive classes(String... sources) throws IOException {
        compile(sources).forEach((name, bytes) -> entries.put("WEB-INF/classes/" + name, bytes));
        return this;
    }

    /** Compiles sources into WEB-INF/lib/name. */
    public TestArchive library(String name, String... sources) throws IOException {
        return file("WEB-INF/lib/" + name, zip(compile(sources)));
    }

    public TestArchive without(String name) {
        entries.remove(name);
        return this;
    }

    public Path write(String name) throws IOException {
        return Files.write(folder.resolve(name), zip(entries));
    }

    public Path explode(String name) throws IOException {
        Path root = folder.resolve(name);
        for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
            Path file = root.resolve(entry.getKey());
            Files.createDirectories(file.getParent());
            Files.write(file, entry.getValue());
        }
        return root;
    }

    public static byte[] zip(Map<String, byte[]> entries) throws IOException {
        var bytes = new java.io.ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                new ByteArrayInputStream(entry.getValue()).transferTo(zip);
                zip.closeEntry();
            }
        }
        return bytes.toByteArray();
    }

    private Map<String, byte[]> compile(String... sources) throws IOException {
        Path in = Files.createTempDirectory(folder, "src");
        Path out = Files.createTempDirectory(folder, "classes");
        List<String> arguments =
                new ArrayList<>(List.of("-proc:none", "-nowarn", "-d", out.toString()));
        arguments.addAll(List.of("-cp", System.getProperty("java.class.path")));
        for (String source : sources) {
            Path file = in.resolve(pathOf(source));
            Files.createDirectories(file.getParent());
            Files.writeString(file, source);
            arguments.add(file.toString());
        }
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        var files = javac.getStandardFileManager(null, null, null);
        List<Path> units = new ArrayList<>();
        arguments.stream().filter(a -> a.endsWith(".java")).map(Path::of).forEach(units::add);
        List<String> options = arguments.stream().filter(a -> !a.endsWith(".java")).toList();
        if (!javac.getTask(
                        messages,
                        files,
                        null,
                        options,
                        null,
                        files.getJavaFileObjectsFromPaths(units))
                .call()) {
            throw new IOException(messages.toString());
        }
        Map<String, byte[]> classes = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(out)) {
            for (Path file : walk.filter(Files::isRegularFile).toList()) {
                classes.put(out.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return classes;
    }

    private static String pathOf(String source) {
        String packageName =
                source.replaceAll("(?s).*?package ([\\w.]+);.*", "$1").replace('.', '/');
        if (!source.matches("(?s).*\\b(class|interface|@interface) \\w+.*")) {
            return packageName + "/package-info.java";
        }
        String className = source.replaceAll("(?s).*?\\b(?:class|interface) (\\w+).*", "$1");
        return packageName + "/" + className + ".java";
    }

    /** A stream that needs no closing, for parsers. */
    static ByteArrayInputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
}

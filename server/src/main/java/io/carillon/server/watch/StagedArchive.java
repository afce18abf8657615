package io.carillon.server.watch;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The unpacked archive that is made of a project, in a folder for temporary files. The server
 * copies it at each deployment, so it is made anew while older versions serve. Owner: one thread.
 */
final class StagedArchive implements AutoCloseable {
    private static final String CLASSES = "WEB-INF/classes";
    private static final String LIBRARIES = "WEB-INF/lib";

    /** What belongs into WEB-INF, where a folder of sources or classes has it at its top. */
    private static final Set<String> DESCRIPTORS = Set.of("sip.xml", "web.xml");

    private final Path work;
    private List<Path> libraries = List.of();

    StagedArchive() throws IOException {
        this.work = Files.createTempDirectory("carillon-watch");
    }

    /** An empty folder for the compiler. */
    Path forClasses() throws IOException {
        Path fresh = work.resolve("compiled");
        delete(fresh);
        return Files.createDirectory(fresh);
    }

    /** An empty folder that stays so. */
    Path nothing() throws IOException {
        return Files.createDirectories(work.resolve("nothing"));
    }

    /**
     * Puts the archive together.
     *
     * @param compiled by {@link #forClasses}; it is moved
     * @return the archive
     */
    Path make(Project project, ClassPath classPath, Path compiled) throws IOException {
        Path root = work.resolve("archive").resolve(project.name());
        keepLibrariesOnly(root);
        Files.createDirectories(root.resolve("WEB-INF"));
        if (project.web() != null) {
            copy(project.web(), root, file -> !file.endsWith(".java"));
        }
        Path classes = root.resolve(CLASSES);
        if (Files.exists(classes)) {
            copy(compiled, classes, file -> true);
        } else {
            Files.move(compiled, classes);
        }
        for (Path folder : project.resources()) {
            copy(folder, classes, file -> isResource(project, file));
        }
        for (Path folder : project.classes()) {
            copy(folder, classes, file -> file.endsWith(".class") || project.maven() != null);
        }
        for (String descriptor : DESCRIPTORS) {
            for (Path folder : project.resources()) {
                Path file = folder.resolve(descriptor);
                if (project.maven() == null && Files.isRegularFile(file)) {
                    Files.copy(file, root.resolve("WEB-INF").resolve(descriptor));
                }
            }
        }
        libraries(project, classPath, root);
        return root;
    }

    /** Of a folder that has all in one: neither sources and classes nor what goes elsewhere. */
    private static boolean isResource(Project project, String file) {
        return project.maven() != null
                || (!file.endsWith(".java")
                        && !file.endsWith(".class")
                        && !file.startsWith("lib/")
                        && !DESCRIPTORS.contains(file));
    }

    /** Jars are not copied again where they are the same. */
    private void libraries(Project project, ClassPath classPath, Path root) throws IOException {
        Set<Path> jars = new HashSet<>();
        for (Path entry : classPath.packed()) {
            if (Files.isDirectory(entry)) {
                copy(entry, root.resolve(CLASSES), file -> true);
            } else {
                jars.add(entry);
            }
        }
        if (project.libraries() != null) {
            try (Stream<Path> all = Files.list(project.libraries())) {
                all.filter(file -> file.toString().endsWith(".jar")).forEach(jars::add);
            }
        }
        List<Path> wanted = jars.stream().sorted().toList();
        Path folder = root.resolve(LIBRARIES);
        boolean same = wanted.equals(libraries) && project.libraries() == null;
        if (!same && !libraries.isEmpty()) {
            delete(folder);
        }
        if (project.web() != null) {
            Path own = project.web().resolve(LIBRARIES);
            if (Files.isDirectory(own)) {
                copy(own, folder, file -> true);
            }
        }
        if (!same) {
            Files.createDirectories(folder);
            for (Path jar : wanted) {
                put(jar, folder.resolve(String.valueOf(jar.getFileName())));
            }
            libraries = wanted;
        }
    }

    /** By a second name for the same bytes where that can be. */
    private static void put(Path jar, Path target) throws IOException {
        Files.deleteIfExists(target);
        try {
            Files.createLink(target, jar);
        } catch (IOException | UnsupportedOperationException e) {
            Files.copy(jar, target); // another file system
        }
    }

    private static void keepLibrariesOnly(Path root) throws IOException {
        if (!Files.isDirectory(root)) {
            return;
        }
        for (Path each : content(root)) {
            if (!each.endsWith("WEB-INF")) {
                delete(each);
            }
        }
        for (Path each : content(root.resolve("WEB-INF"))) {
            if (!each.endsWith("lib")) {
                delete(each);
            }
        }
    }

    private static List<Path> content(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.toList();
        }
    }

    /** Files of editors stay where they are. */
    private static void copy(Path from, Path to, Predicate<String> which) throws IOException {
        Files.walkFileTree(
                from,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path folder, BasicFileAttributes attributes) {
                        return !folder.equals(from) && EditorFiles.has(folder)
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        String path = from.relativize(file).toString();
                        if (!EditorFiles.has(file) && which.test(path)) {
                            Path target = to.resolve(path);
                            Files.createDirectories(target.getParent());
                            Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        Files.walkFileTree(
                folder,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.delete(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path visited, @Nullable IOException failure) throws IOException {
                        if (failure != null) {
                            throw failure;
                        }
                        Files.delete(visited);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    @Override
    public void close() throws IOException {
        delete(work);
    }
}

package io.carillon.servlet.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/**
 * The {@code Class-Path} lines of the libraries' manifests. A class loader follows them, so they
 * may lead neither out of the application nor round in a circle. One use, one thread.
 */
final class LibraryPaths {
    private final String archive;
    private final Path root;
    private final Map<Path, List<Path>> next = new LinkedHashMap<>();
    private final Set<Path> done = new HashSet<>();

    private LibraryPaths(String archive, Path root) {
        this.archive = archive;
        this.root = root.toAbsolutePath().normalize();
    }

    /**
     * @param root unpacked archive
     * @throws DeploymentException naming the library and the line's entry
     */
    static void check(String archive, Path root) throws DeploymentException {
        LibraryPaths paths = new LibraryPaths(archive, root);
        try {
            for (Path jar : ApplicationClassLoader.libraries(paths.root)) {
                paths.follow(jar, new LinkedHashSet<>());
            }
        } catch (IOException e) {
            throw new DeploymentException(
                    archive, 0, null, "cannot read the libraries: " + e.getMessage(), e);
        }
    }

    private void follow(Path jar, Set<Path> way) throws DeploymentException {
        if (!way.add(jar)) {
            List<String> names = new ArrayList<>();
            way.stream()
                    .dropWhile(one -> !one.equals(jar))
                    .forEach(one -> names.add(String.valueOf(one.getFileName())));
            names.add(String.valueOf(jar.getFileName()));
            throw new DeploymentException(
                    label(jar), 0, "Class-Path", "goes in a circle: " + String.join(" -> ", names));
        }
        if (done.add(jar)) {
            for (Path target : targets(jar)) {
                follow(target, way);
            }
        } else {
            for (Path target : next.getOrDefault(jar, List.of())) {
                if (way.contains(target)) {
                    follow(target, way);
                }
            }
        }
        way.remove(jar);
    }

    /**
     * The libraries that the manifest names and that are there; a jar that names itself is fine.
     */
    private List<Path> targets(Path jar) throws DeploymentException {
        List<Path> found = new ArrayList<>();
        for (String entry : classPath(jar).split("\\s+")) {
            if (entry.isEmpty()) {
                continue;
            }
            Path target = target(jar, entry);
            if (!target.equals(jar) && Files.isRegularFile(target)) {
                found.add(target);
            }
        }
        next.put(jar, found);
        return found;
    }

    private Path target(Path jar, String entry) throws DeploymentException {
        String element = "Class-Path " + entry;
        Path folder = jar.getParent();
        // A name with a scheme is a place on the net, or a file by its absolute name.
        boolean absolute = entry.startsWith("/") || entry.matches("[A-Za-z][A-Za-z0-9+.-]*:.*");
        try {
            if (!absolute && folder != null) {
                String plain =
                        java.net.URLDecoder.decode(
                                entry.replace("+", "%2B"), java.nio.charset.StandardCharsets.UTF_8);
                Path target = folder.resolve(plain.replace('\\', '/')).normalize();
                if (target.startsWith(root)) {
                    return target;
                }
            }
        } catch (InvalidPathException e) {
            throw new DeploymentException(label(jar), 0, element, "is no file name", e);
        } catch (IllegalArgumentException e) {
            throw new DeploymentException(label(jar), 0, element, "is no URL", e);
        }
        throw new DeploymentException(label(jar), 0, element, "leads out of the application");
    }

    private String classPath(Path jar) throws DeploymentException {
        try (JarFile file = new JarFile(jar.toFile(), false)) {
            Manifest manifest = file.getManifest();
            String line =
                    manifest == null
                            ? null
                            : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            return line == null ? "" : line;
        } catch (IOException | IllegalArgumentException e) {
            throw new DeploymentException(
                    label(jar), 0, null, "broken archive: " + e.getMessage(), e);
        }
    }

    private String label(Path jar) {
        return archive + "!/" + root.relativize(jar).toString().replace('\\', '/');
    }
}

package io.carillon.servlet.app;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes applications of archives. Holds no state but its settings; any thread. */
public final class ApplicationLoader {
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationLoader.class);

    private final Path workFolder;
    private final ArchiveLimits limits;
    private final Function<String, Map<String, String>> contextParams;
    private final Predicate<String> shared;

    /**
     * @param workFolder for unpacked archives and temporary files; made when it is not there
     * @param contextParams of the configuration, by the application's name; they win over those of
     *     the descriptor
     * @param shared names of classes, beside those of the API, that applications get from the
     *     server
     */
    public ApplicationLoader(
            Path workFolder,
            ArchiveLimits limits,
            Function<String, Map<String, String>> contextParams,
            Predicate<String> shared) {
        this.workFolder = workFolder;
        this.limits = limits;
        this.contextParams = contextParams;
        this.shared = shared;
    }

    /** Settings of a container without configuration. */
    public ApplicationLoader(Path workFolder) {
        this(workFolder, ArchiveLimits.DEFAULT, name -> Map.of(), name -> false);
    }

    /**
     * Unpacks and describes; no code of the application runs before {@link Application#start}.
     *
     * @param path {@code .war}, {@code .sar} or exploded folder
     * @throws DeploymentException naming file, element and rule; nothing is left behind
     */
    public Application load(Path path) throws DeploymentException {
        return load(path, false);
    }

    /**
     * The same of a copy: an exploded folder may change while this version runs.
     *
     * @throws DeploymentException naming file, element and rule; nothing is left behind
     */
    public Application loadCopy(Path path) throws DeploymentException {
        return load(path, true);
    }

    private Application load(Path path, boolean copy) throws DeploymentException {
        Archive archive = Archive.open(path, workFolder, limits, copy);
        Closeable open = archive;
        try {
            ApplicationDescription description =
                    DescriptionReader.read(
                            archive.label(), archive.root(), archive.baseName(), contextParams);
            ApplicationClassLoader classLoader =
                    ApplicationClassLoader.open(
                            description.name(),
                            archive.root(),
                            ApplicationLoader.class.getClassLoader(),
                            shared);
            open =
                    () -> {
                        classLoader.close();
                        archive.close();
                    };
            for (String warning : description.warnings()) {
                LOG.warn("{}", warning);
            }
            return Application.load(
                    description,
                    archive.label(),
                    archive.root(),
                    archive.tempFolder(),
                    classLoader,
                    open);
        } catch (DeploymentException | RuntimeException failure) {
            discard(open, failure);
            throw failure;
        } catch (IOException e) {
            discard(open, e);
            throw new DeploymentException(
                    archive.label(), 0, null, "its classes cannot be opened: " + e.getMessage(), e);
        }
    }

    /**
     * Unpacks and describes, lets {@code look} look, and removes everything. No code of the archive
     * runs.
     *
     * @throws DeploymentException when it cannot be unpacked
     */
    public void inspect(Path path, Consumer<UnpackedArchive> look) throws DeploymentException {
        try (Archive archive = Archive.open(path, workFolder, limits, false)) {
            ApplicationDescription description = null;
            DeploymentException fault = null;
            try {
                description =
                        DescriptionReader.read(
                                archive.label(), archive.root(), archive.baseName(), contextParams);
            } catch (DeploymentException e) {
                fault = e;
            }
            try (ApplicationClassLoader classes =
                    ApplicationClassLoader.open(
                            archive.baseName(),
                            archive.root(),
                            ApplicationLoader.class.getClassLoader(),
                            shared)) {
                look.accept(
                        new UnpackedArchive(
                                archive.label(),
                                archive.root(),
                                ApplicationClassLoader.libraries(archive.root()),
                                description,
                                fault,
                                classes));
            }
        } catch (IOException e) {
            throw new DeploymentException(
                    path.toString(), 0, null, "cannot be read: " + e.getMessage(), e);
        }
    }

    private static void discard(Closeable open, Exception failure) {
        try {
            open.close();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }
}

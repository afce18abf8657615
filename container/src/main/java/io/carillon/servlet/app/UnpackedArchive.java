package io.carillon.servlet.app;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An archive that was unpacked to be looked at, and goes away when that is done.
 *
 * @param label what messages call it
 * @param root the folder that holds WEB-INF
 * @param libraries jars of WEB-INF/lib
 * @param description what it says of itself; null when that is wrong
 * @param fault what is wrong with that; null when nothing is
 * @param classes its class loader, as a deployment has it; closed afterwards
 */
public record UnpackedArchive(
        String label,
        Path root,
        List<Path> libraries,
        @Nullable ApplicationDescription description,
        @Nullable DeploymentException fault,
        ApplicationClassLoader classes) {}

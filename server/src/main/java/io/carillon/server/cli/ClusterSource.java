package io.carillon.server.cli;

import io.carillon.server.HomeFolder;
import io.carillon.server.cluster.ClusterOnOneMachine;
import io.carillon.server.config.ClusterSettings;
import io.carillon.server.config.Configuration;
import io.carillon.server.config.ConfigurationException;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.start.StartException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Options that say which cluster is meant. */
final class ClusterSource {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The configuration of the nodes, with its section cluster.")
    private @Nullable Path config;

    @Option(
            names = "--cluster",
            paramLabel = "FILE|NAME",
            description =
                    "The same; or the name of a cluster on this machine (docs/guides/clustering.md).")
    private @Nullable String cluster;

    /** Was one named? */
    boolean given() {
        return config != null || cluster != null;
    }

    ClusterSettings settings(CommandSpec spec) throws ConfigurationException, StartException {
        return configuration(spec).cluster();
    }

    /** The whole configuration; of a cluster by name, the standard one with its cluster. */
    Configuration configuration(CommandSpec spec) throws ConfigurationException, StartException {
        Path file = config;
        if (file == null && cluster != null && Files.exists(Path.of(cluster))) {
            file = Path.of(cluster);
        }
        if (file == null) {
            if (cluster == null) {
                throw new ParameterException(
                        spec.commandLine(), "--config FILE or --cluster NAME is needed");
            }
            ClusterName.check(spec.commandLine(), cluster, null);
            return ConfigurationReader.standard()
                    .withCluster(
                            ClusterOnOneMachine.settings(cluster, HomeFolder.current().clusters()));
        }
        Configuration configuration = ConfigurationReader.read(file);
        if (!configuration.cluster().configured()) {
            throw new ParameterException(
                    spec.commandLine(), file + ": there is no section cluster with a name");
        }
        return configuration;
    }
}

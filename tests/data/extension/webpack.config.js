// As JupyterLab's own builder does it.
const {ModuleFederationPlugin} = require('webpack').container;

module.exports = {
	mode: 'production',
	devtool: 'source-map',
	entry: {},
	output: {path: `${__dirname}/static`, filename: '[name].[contenthash].js', chunkFilename: '[id].[contenthash].js'},
	resolve: {extensions: ['.ts', '.js']},
	module: {rules: [{test: /\.ts$/, use: 'ts-loader'}]},
	plugins: [new ModuleFederationPlugin({
		name: '@nbscope-test/busy',
		library: {type: 'var', name: ['_JUPYTERLAB', '@nbscope-test/busy']},
		filename: 'remoteEntry.[contenthash].js',
		exposes: {'./mimeExtension': './src/index.ts'},
		shared: {'@lumino/widgets': {requiredVersion: '^2.0.0', singleton: true, import: false}},
	})],
};

document.getElementById('root')!.textContent = 'Unmask';
